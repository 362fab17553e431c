export * from './builders.ts'
export { A_HOST, createFakeBridge, type FakeBridge } from './fake-bridge.ts'
export { addLittleEngine } from './little-engine.ts'
export { cairnMaps, demoMedia, PEOPLE } from './cairn-maps.ts'
