import { createAction } from '@reduxjs/toolkit'
import { type ErrorBody, err, errorBodyOf, ok, type Result } from '#shared/lib/app-error.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import { accountKeyOf } from './accounts.ts'
import type { AppState, Thunk } from './store.ts'
import { rememberDone, type Undoable } from './window/recent.ts'

/** A command failed and its caller does not show it: a listener turns this into a notice. */
export const commandFailed = createAction<{ readonly type: string; readonly error: ErrorBody }>('command/failed')

/** Another window sent the same text a moment ago: the user is asked to confirm. */
export const JUST_SENT = 'message/just-sent'

/** The connection to main was lost during the call: it is unknown whether it was carried out. */
export const isUnanswered = ({ code }: ErrorBody): boolean => code === 'bridge/gone' || code === 'bridge/lost'

export type Command<Output> = Thunk<Promise<Result<Output, ErrorBody>>>

/**
 * Declares a command: `const castVote = command('polls/voteCast', (input: Vote, engine) => engine.polls.castVote(input))`.
 * Dispatching it resolves with a Result and never rejects. A failure raises a notice, unless `quiet` is set: then the
 * caller shows it in place. `undo` registers its inverse, from the input and the state before it ran: it is listed and
 * undone with all others (store/window/recent.ts). `undefined`: this run cannot be undone.
 */
export function command<Input = void, Output = void>(
  type: string,
  run: (input: Input, engine: EngineClient, before: AppState) => Promise<Output>,
  options: { quiet?: boolean; undo?: (input: Input, before: AppState) => Undoable | undefined } = {},
): (input: Input) => Command<Output> {
  return (input) => async (dispatch, getState, extra) => {
    const account = accountKeyOf(getState())
    const before = getState()
    const inverse = options.undo?.(input, before)
    try {
      const output = await run(input, extra.engine, before)
      // What was done in one account is not listed in another.
      if (inverse !== undefined && accountKeyOf(getState()) === account) dispatch(rememberDone(inverse))
      return ok(output)
    } catch (error) {
      const body = errorBodyOf(error)
      // The failure of a call of one account is not shown in another.
      if (options.quiet !== true && accountKeyOf(getState()) === account) dispatch(commandFailed({ type, error: body }))
      return err(body)
    }
  }
}
