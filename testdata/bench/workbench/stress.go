package main

func stress(program, work string, seconds int, seed uint64, limit int64) error { return nil }
