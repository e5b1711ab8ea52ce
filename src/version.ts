import packageJson from '../package.json' with { type: 'json' };

export const { version: VERSION, homepage: HOMEPAGE } = packageJson;
