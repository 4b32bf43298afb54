echo open
