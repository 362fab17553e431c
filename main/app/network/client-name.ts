import packageJson from '../../../package.json' with { type: 'json' }

/** How Parlor introduces itself to a server: `X-Stream-Client`. See docs/wire.md 1.3. */
export const CLIENT_NAME = `parlor-v${packageJson.version}-desktop`
