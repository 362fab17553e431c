import { Refusal, refuse } from '../http/refusal.ts'
import { putSetting, settingOf } from './settings.ts'
import { toText } from '../store/time.ts'
import { trying, type Work } from '../work.ts'

/**
 * Work that a hosted server does in the background is done at once: the returned task is already finished.
 * See docs/wire.md 3.1 `/tasks/{id}`.
 */
export function finishTask(work: Work, outcome: { readonly result?: object; readonly error?: object }): string {
  const id = work.ids.uuid()
  putSetting(work.db, 'task', id, { status: outcome.error ? 'failed' : 'completed', ...outcome }, work.now)
  return id
}

/** The outcome of one of several steps: a refused one is rolled back and does not affect the others. */
type Outcome = { readonly status: 'ok' | 'failed'; readonly error?: string }

type Step = (work: Work, name: string) => unknown

/** Runs one step per name. */
export function outcomesOf(work: Work, names: readonly string[], step: Step): Record<string, Outcome> {
  return Object.fromEntries(runEach(work, names, step).map(({ name, outcome }) => [name, outcome]))
}

/** Like {@link outcomesOf}, but throws the first refusal when all steps are refused. */
export function eachOf(work: Work, names: readonly string[], step: Step): Record<string, Outcome> {
  const done = runEach(work, names, step)
  const first = done[0]?.refusal
  if (first && done.every(({ refusal }) => refusal)) throw first
  return Object.fromEntries(done.map(({ name, outcome }) => [name, outcome]))
}

type StepResult = { readonly name: string; readonly outcome: Outcome; readonly refusal?: Refusal }

const runEach = (work: Work, names: readonly string[], step: Step): StepResult[] =>
  names.map((name) => {
    try {
      trying(work, (inner) => step(inner, name))
      return { name, outcome: { status: 'ok' } }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { name, outcome: { status: 'failed', error: error.message }, refusal: error }
    }
  })

type WireTask = {
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
