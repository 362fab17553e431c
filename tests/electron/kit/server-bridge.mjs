/** Stands before the server's bundle, as `bridge.mjs` says. */
Object.defineProperty(process.versions, 'node', { value: '24.0.0' })
process.argv.splice(1, 1)
await import(process.argv[1])
