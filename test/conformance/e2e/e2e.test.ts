import { testSimulated } from './simulated.js';

testSimulated(['1.36']);
