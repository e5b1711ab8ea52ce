#!/usr/bin/env node
// kubectl runs a file of this name for `kubectl kprobe`; kprobe reads its name from the command line.
require('./kprobe.js');
