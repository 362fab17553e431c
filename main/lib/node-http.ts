/**
 * `node:http` without Node's wrapper for modules: the wrapper reads every export, and reading `WebSocket` of this one
 * loads all of `fetch`, 40 ms of processor time at each start of the app and of its server.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')
