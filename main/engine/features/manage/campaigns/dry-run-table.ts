import { formatTime } from '#shared/lib/rfc3339.ts'
import { sourcesIn } from '#shared/rules/campaigns/audience.ts'
import { csvOf, csvRow } from '#shared/rules/server/csv.ts'
import type { ExportPiece } from '../../export/pieces.ts'
import type { DryRunPeople } from './dry-run-people.ts'

const TITLES = ['place', 'id', 'name', 'from', 'channel', 'sent_at', 'time_zone', 'their_time', 'missing', 'left_out']
/** Rows of one part: there may be 100,000. */
const PART = 2_000

/**
 * Everyone of a dry run: those who would get it, with their place and the moment, and those who would not, with the reason.
 *
 * @param sources the names of what people are found by, in the order of their bits
 * @param at when they would get it, in epoch milliseconds
 */
export function* dryRunTable(people: DryRunPeople, sources: readonly string[], at: number): Generator<ExportPiece> {
  const moments = new Map<string, string>()
  const rowOf = (row: number): string => {
    const { id, name } = people.sourceAt(row)
    const zone = people.zoneAt(row) ?? ''
    const why = people.whyAt(row)
    if (zone !== '' && !moments.has(zone)) moments.set(zone, momentIn(zone, at))
    const gets = why === undefined ? [people.reachAt(row), formatTime(at), zone, moments.get(zone) ?? ''] : NEVER
    return csvRow([
      String(people.placeAt(row) ?? ''),
      id,
      name ?? '',
      sourcesIn(people.fromAt(row))
        .map((source) => sources[source] ?? '')
        .join('; '),
      ...gets,
      people.missingAt(row).join('; '),
      why ?? '',
    ])
  }
  yield { text: csvOf([TITLES]), messages: 0 }
  for (let from = 0; from < people.size; from += PART) {
    const rows = Array.from({ length: Math.min(PART, people.size - from) }, (_, index) => rowOf(from + index))
    yield { text: rows.join(''), messages: rows.length }
  }
}

const NEVER = ['', '', '', '']

/** Such as `2026-11-20 23:00`; the zone is one that there is. */
const momentIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)
