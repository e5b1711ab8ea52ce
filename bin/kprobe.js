#!/usr/bin/env node
// Keeps compiled code between starts, where this Node can (22.1 and later).
require('node:module').enableCompileCache?.();
require('../dist/cli/main.js');
