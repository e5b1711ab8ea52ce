import { testScenarios } from './scenarios.js';

/** The facts are from an oracle of each release. */
testScenarios(
  ['1.37', '1.35', '1.34', '1.33', '1.32'].flatMap((release) =>
    ['curated', 'random'].map(
      (set) => [release, set, `releases/${set}-${release}.facts.ndjson`] as const,
    ),
  ),
);
