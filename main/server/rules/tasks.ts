import { refuse } from '../http/refusal.ts'
import { putSetting, settingOf } from '../store/tables/settings.ts'
import { toText } from '../time.ts'
import type { Work } from '../work.ts'

/**
 * What a hosted server does in the background is done here at once: the task that is answered is already finished.
 * Source: wire contract 3.1 `/tasks/{id}`.
 */
export function finishTask(work: Work, outcome: { readonly result?: object; readonly error?: object }): string {
  const id = work.ids.uuid()
  putSetting(work.db, 'task', id, { status: outcome.error ? 'failed' : 'completed', ...outcome }, work.now)
  return id
}

export type WireTask = {
  readonly task_id: string
  readonly status: string
  readonly created_at: string
  readonly updated_at: string
  readonly result?: unknown
  readonly error?: unknown
}

export function taskOf(work: Work, id: string): WireTask {
  const row = settingOf(work.db, 'task', id)
  if (!row) return refuse('doesNotExist', `task ${id} does not exist`)
  return {
    task_id: id,
    ...(JSON.parse(row.json) as { status: string }),
    created_at: toText(row.created_at),
    updated_at: toText(row.updated_at),
  }
}
