import { describe, expect, test } from 'vitest'
import { NOTHING_NEWER, type UpdateState } from '../../domain/desktop/desktop.ts'
import {
  afterUpdateEvent,
  atInstall,
  atPlaced,
  atStart,
  atUp,
  isQuiet,
  isRefused,
  NO_UPDATE_MEMORY,
  quietFrom,
  ANNOUNCE_INTERVAL_MS,
  versionBefore,
  whyNotInstalled,
  type UpdateEvent,
  type UpdateMemory,
} from './updates.ts'

const after = (...events: readonly UpdateEvent[]): UpdateState => events.reduce(afterUpdateEvent, NOTHING_NEWER)
const FOUND: UpdateEvent = { type: 'found', version: '1.1.0', at: 5 }

describe('update states', () => {
  test('go step by step until the version is ready', () => {
    expect(after({ type: 'check-started' }).stage).toBe('looking')
    expect(after({ type: 'check-started' }, FOUND)).toEqual({
      stage: 'found',
      version: '1.1.0',
      lookedAt: 5,
      announced: false,
    })
    expect(after(FOUND, { type: 'download-started' }, { type: 'share', share: 0.4 })).toMatchObject({ share: 0.4 })
    expect(after(FOUND, { type: 'download-started' }, { type: 'share', share: 0.4 }, { type: 'downloaded' })).toEqual({
      stage: 'ready',
      version: '1.1.0',
      lookedAt: 5,
      announced: false,
    })
  })

  test('a failure returns to the last valid state, and the next step clears it', () => {
    const failed: UpdateEvent = { type: 'failed', code: 'update/unreachable' }
    expect(after({ type: 'check-started' }, failed)).toMatchObject({ stage: 'rest', failure: 'update/unreachable' })
    expect(after(FOUND, { type: 'download-started' }, failed)).toMatchObject({ stage: 'found', version: '1.1.0' })
    expect(after(FOUND, { type: 'downloaded' }, { type: 'install-started' }, failed).stage).toBe('ready')
    expect(after({ type: 'check-started' }, failed, { type: 'nothing', at: 7 })).toEqual({
      stage: 'rest',
      lookedAt: 7,
      announced: false,
    })
  })

  test('late progress of a finished download changes nothing', () => {
    const ready = after(FOUND, { type: 'download-started' }, { type: 'downloaded' })
    expect(afterUpdateEvent(ready, { type: 'share', share: 0.2 })).toBe(ready)
  })
})

describe('update memory', () => {
  const tried = (version: string, times: number): UpdateMemory => {
    let memory = NO_UPDATE_MEMORY
    for (let time = 0; time < times; time += 1) memory = atInstall(memory, version, '1.0.0')
    return memory
  }

  test('a version that started is no longer tried', () => {
    expect(atUp(atStart(tried('1.1.0', 1), '1.1.0'), '1.1.0')).toEqual(NO_UPDATE_MEMORY)
  })

  test('a version that failed to install is offered once more, and not a third time', () => {
    const once = atStart(tried('1.1.0', 1), '1.0.0')
    expect(isRefused(once, '1.1.0')).toBe(false)
    const twice = atStart(atInstall(once, '1.1.0', '1.0.0'), '1.0.0')
    expect(isRefused(twice, '1.1.0')).toBe(true)
    expect(isRefused(twice, '1.2.0')).toBe(false)
    expect(twice.tried).toBeUndefined()
  })

  test('a version that started without showing a window is not offered again by the version that replaced it', () => {
    const ran = atStart(tried('1.1.0', 1), '1.1.0')
    expect(isRefused(atStart(ran, '1.0.0'), '1.1.0')).toBe(true)
  })

  test('a version that was put in place is not offered again by the version that replaced it', () => {
    const back = atStart(atPlaced(tried('1.1.0', 1)), '1.0.0')
    expect(isRefused(back, '1.1.0')).toBe(true)
    expect(whyNotInstalled(back, '1.0.0')).toBeUndefined()
  })

  test('a version that did not replace the running one is not installed', () => {
    expect(whyNotInstalled(atStart(tried('1.1.0', 1), '1.0.0'), '1.0.0')).toBe('update/not-installed')
    expect(whyNotInstalled(atStart(tried('1.1.0', 1), '1.1.0'), '1.1.0')).toBeUndefined()
    expect(whyNotInstalled(NO_UPDATE_MEMORY, '1.0.0')).toBeUndefined()
  })

  test('the version before is named from the second start without a window on', () => {
    const first = atStart(tried('1.1.0', 1), '1.1.0')
    expect(versionBefore(first, '1.1.0')).toBeUndefined()
    const second = atStart(first, '1.1.0')
    expect(versionBefore(second, '1.1.0')).toBe('1.0.0')
    expect(versionBefore(atUp(second, '1.1.0'), '1.1.0')).toBeUndefined()
  })

  test('a start without an attempted update changes nothing', () => {
    expect(atStart(NO_UPDATE_MEMORY, '1.0.0')).toBe(NO_UPDATE_MEMORY)
    expect(atUp(NO_UPDATE_MEMORY, '1.0.0')).toBe(NO_UPDATE_MEMORY)
  })

  test('an update is announced at most once a day', () => {
    const announced = quietFrom(NO_UPDATE_MEMORY, 1_000)
    expect(isQuiet(announced, 1_000 + ANNOUNCE_INTERVAL_MS - 1)).toBe(true)
    expect(isQuiet(announced, 1_000 + ANNOUNCE_INTERVAL_MS)).toBe(false)
  })
})
