#!/usr/bin/env node
import module from 'node:module';

// Keeps compiled code between starts, where this Node can (22.1 and later).
module.enableCompileCache?.();
await import('../dist/cli/main.js');
