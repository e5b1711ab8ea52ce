#!/usr/bin/env node
// kubectl runs a file of this name to complete `kubectl kprobe …`.
process.argv.splice(2, 0, '__complete', '--');
require('./kprobe.js');
