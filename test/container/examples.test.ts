import { beforeAll, describe, expect, it } from 'vitest';

import {
  exampleNames,
  gists,
  needsEngine,
  readExample,
  StagedExample,
  writeExample,
} from '../helpers/example.js';
import { leftovers, requireEngine } from './engine.js';

/** Writes what the examples print into their READMEs, instead of comparing. */
const UPDATE = process.env['UPDATE_EXAMPLES'] !== undefined;

beforeAll(requireEngine);

describe('the examples that need a container engine', () => {
  it.each(exampleNames.filter(needsEngine))('%s prints what its README says', async (name) => {
    const { session } = readExample(name);
    const staged = await StagedExample.create(name);
    try {
      const printed = await staged.run(session);
      const [found, expected] = gists(printed, session);
      if (UPDATE) writeExample(name, printed);
      else expect(found).toEqual(expected);
    } finally {
      await staged.end();
    }
    expect(leftovers()).toEqual([]);
  });
});
