package scan

// junk are names no map wants: what tools produce or download. A tracked file
// is kept whatever it is called.
var junk = map[string]bool{
	".git": true, "node_modules": true, "dist": true, "build": true, "coverage": true,
	".next": true, ".venv": true, "__pycache__": true, ".DS_Store": true,
}
