import { testScenarios } from './scenarios.js';

/** The facts are from an oracle of each release. */
const OTHERS = ['1.37', '1.35', '1.34', '1.33', '1.32'].flatMap((release) =>
  ['curated', 'random'].map(
    (set) => [release, set, `releases/${set}-${release}.facts.ndjson`] as const,
  ),
);

testScenarios([
  ['1.36', 'random', 'random.facts.ndjson'],
  ['1.36', 'rare', 'rare.facts.ndjson'],
  ['1.35', 'sidecars', 'releases/sidecars-1.35.facts.ndjson'],
  ...OTHERS,
]);
