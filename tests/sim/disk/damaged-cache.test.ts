import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AccountOnDisk, aTurn, CID } from '#kit/account-on-disk.ts'
import type { FakeWindow } from '#kit/fake-host.ts'
import { PATIENCE_MS, replayLine, seedsOf, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import type { ChangeSet } from '#shared/domain/changes.ts'
import { canBeDamaged, FORMS, type Form } from './damage.ts'

/**
 * Bytes of the cache are damaged after a normal exit, after a kill, or while it is in use. The start works, what was
 * accepted before is sent as it was written and in its order, so is what is written next, and a rebuild is reported
 * once. The outbox is not touched.
 */
const UNSENT = ['one', 'two', 'three']
const MOMENTS = ['after an orderly end', 'after a kill', 'in use'] as const
const FILES = ['cache.db', 'cache.db-wal'] as const
type Moment = (typeof MOMENTS)[number]

/** Of each form, in each place. */
const AMOUNT: Amount = { fixed: 1, fresh: 1, long: 50, share: 0.05 / 25 }

/** Why the promise was broken; undefined when it held. */
async function play(moment: Moment, file: (typeof FILES)[number], form: Form, seed: number): Promise<string[]> {
  const account = new AccountOnDisk()
  const done = { at: '' }
  try {
    let window = await account.start()
    await account.offline()
    for (const text of UNSENT) await account.call(window, 'messages.send', { cid: CID, text })
    if (moment === 'after an orderly end') await account.stop()
    else if (moment === 'after a kill') await account.kill()
    else account.forget({ logsToo: file === 'cache.db' })
    const path = join(account.folder, file)
    if (!canBeDamaged(path)) return []
    done.at = FORMS[form](path, seededIds(seed))
    if (moment !== 'in use') window = await account.start()
    return (await judge(account, window)).map((fault) => `${done.at}: ${fault}`)
  } catch (error) {
    return [`${done.at}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]
  } finally {
    await account.end()
  }
}

async function judge(account: AccountOnDisk, window: FakeWindow): Promise<string[]> {
  const faults: string[] = []
  const isAccepted = await goOn(account, window)
  if (!isAccepted) faults.push('nothing more is accepted')
  const wanted = [...UNSENT, ...(isAccepted ? ['more'] : [])]
  if (account.sent.join() !== wanted.join()) faults.push(`sent: ${account.sent.join()}`)
  const codes = account.notices().filter((code) => code.startsWith('store/'))
  const quarantined = account.quarantined().filter((name) => /^cache\.db[^/]*$/.test(name))
  if (codes.join() !== (quarantined.length > 0 ? 'store/cache-rebuilt' : ''))
    faults.push(`told: ${codes.join()}, kept: ${quarantined.join()}`)
  if (account.engine.unsentCount() > 0) faults.push(`${account.engine.unsentCount()} wait`)
  const there = await account.call<ChangeSet>(window, 'app.attach', { lastChannel: CID })
  const shown = Object.keys(there.put.messages ?? {}).length
  if (shown < UNSENT.length) faults.push(`${shown} messages are shown`)
  return faults
}

/**
 * Writes once more, however often the account has to be opened again on the way, and waits until everything is sent.
 */
async function goOn(account: AccountOnDisk, window: FakeWindow): Promise<boolean> {
  let isAccepted = false
  for (let turn = 0; turn < 12; turn += 1) {
    if (isAccepted && account.sent.length > UNSENT.length) break
    await account.call(window, 'app.attach').catch(() => undefined)
    await account.call(window, 'channels.open', { cid: CID }).catch(() => undefined)
    isAccepted ||= await account.call(window, 'messages.send', { cid: CID, text: 'more' }).then(
      () => true,
      () => false,
    )
    await account.host.clock.advance(10_000)
    await account.passing(aTurn())
    await account.online()
  }
  // Damage that is found only now is repaired now.
  await account.host.clock.advance(40_000)
  for (let turn = 0; turn < 20; turn += 1) await aTurn()
  await account.online()
  await account.call(window, 'app.attach')
  return isAccepted
}

const PLACES = MOMENTS.flatMap((moment) => FILES.map((file) => [moment, file] as const)).filter(
  ([moment, file]) => !(moment === 'after an orderly end' && file === 'cache.db-wal'),
)

test.each(PLACES)(
  '%s, damaged bytes of %s: all is sent as it was written, and reported once',
  { timeout: PATIENCE_MS },
  async (moment, file) => {
    const failures: string[] = []
    for (const form of Object.keys(FORMS) as Form[]) {
      for (const seed of seedsOf('damaged bytes of the cache', AMOUNT)) {
        const faults = await play(moment, file, form, seed)
        if (faults.length > 0)
          failures.push(`${form}: ${replayLine('tests/sim/disk/damaged-cache', seed)}\n  ${faults.join('\n  ')}`)
      }
    }
    expect(failures.join('\n')).toBe('')
  },
)
