import { readFileSync } from 'node:fs'
import type { Clock } from '#main/lib/clock.ts'
import type { ServerArguments } from '../arguments.ts'
import { moveTo, SENT_AT, type MoveReport } from './move.ts'

/** The refusals that are printed; the rest is counted. */
const PRINTED = 20

/** `move`: to another server of the contract. Says what is there now, and what is not. */
export async function moveToServer(given: ServerArguments, clock: Clock): Promise<string> {
  const { dataFolder, dryRun, to: url = '', apiKey = '', secretFile = '' } = given
  const secret = readFileSync(secretFile, 'utf8').trim()
  const options = { dataFolder, dryRun, url, apiKey, secret }
  return reportOf(await moveTo(options, { request: (address, init) => fetch(address, init), clock }), dryRun)
}

function reportOf({ moved, left, refused }: MoveReport, dryRun: boolean): string {
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([type, count]) => `${count} ${type}`).join(', ') || 'nothing'
  const lines = [
    `${dryRun ? 'Would move' : 'Moved'}: ${list(moved)}.`,
    `Not moved, because the contract has no call for it or it is of this server alone: ${list(left)}.`,
    `Messages have the time of the move; when they were written is in their field ${SENT_AT}.`,
  ]
  if (refused.length > 0) lines.push(`The server did not take ${refused.length}:`, ...refused.slice(0, PRINTED))
  if (refused.length > PRINTED) lines.push(`and ${refused.length - PRINTED} more.`)
  return lines.join('\n')
}
