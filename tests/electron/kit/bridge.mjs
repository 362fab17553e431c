/**
 * Stands before Parlor's main bundle in the Electron of the tests and adds what Parlor's own Electron has. Everything
 * else that the bundles use is in both.
 */
import { join } from 'node:path'
import { safeStorage, utilityProcess } from 'electron'

// Newer names of the same two functions.
safeStorage.isAsyncEncryptionAvailable = () => Promise.resolve(safeStorage.isEncryptionAvailable())
safeStorage.encryptStringAsync = (text) => Promise.resolve(safeStorage.encryptString(text))
safeStorage.decryptStringAsync = async (sealed) => ({
  result: safeStorage.decryptString(sealed),
  shouldReEncrypt: false,
})

// The server asks for Node 24 before it loads SQLite; the addon of the tests runs on 20.
const fork = utilityProcess.fork.bind(utilityProcess)
utilityProcess.fork = (entry, args, options) =>
  fork(join(import.meta.dirname, 'server-bridge.mjs'), [entry, ...args], options)

// The same where the server runs in the app itself.
if (process.argv.includes('--server')) Object.defineProperty(process.versions, 'node', { value: '24.0.0' })

await import(join(import.meta.dirname, 'out/main/electron.js'))
