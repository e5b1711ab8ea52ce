import { ANSWERED } from './programs/answers.js';
import { CONNECTIONS } from './programs/connections.js';
import { CRASHED } from './programs/crashes.js';
import { DECEPTIVE } from './programs/deceptive.js';
import { DRAWN } from './programs/drawn.js';
import { HELD } from './programs/held.js';
import { HELPLESS } from './programs/helpless.js';
import { LASTING } from './programs/lasting.js';
import { MET } from './programs/met.js';
import { MISREAD } from './programs/misread.js';
import { MISTAKEN } from './programs/mistaken.js';
import { NEUTRAL } from './programs/neutral.js';
import { ORDINARY } from './programs/ordinary.js';
import { OVERLOOKED } from './programs/overlooked.js';
import type { ProgramCase } from './programs/program-case.js';
import { QUOTED } from './programs/quoted.js';
import { SHOWN } from './programs/shown.js';
import { SURROUNDED } from './programs/surroundings.js';
import { TRIED } from './programs/tried.js';
import { UNFORESEEN } from './programs/unforeseen.js';
import { UNPREPARED } from './programs/unprepared.js';
import { UNSEEN } from './programs/unseen.js';
import { WITHHELD } from './programs/withheld.js';

export const PROGRAMS: readonly ProgramCase[] = [
  ...[...CONNECTIONS, ...CRASHED, ...ANSWERED, ...UNPREPARED, ...SURROUNDED, ...SHOWN],
  ...[...DECEPTIVE, ...MISREAD, ...UNSEEN, ...HELPLESS, ...OVERLOOKED, ...TRIED],
  ...[...UNFORESEEN, ...WITHHELD, ...MISTAKEN, ...MET, ...DRAWN, ...HELD, ...ORDINARY],
  ...NEUTRAL,
  ...QUOTED,
  ...LASTING,
];
