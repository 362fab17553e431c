import { createAction, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit'
import { AppError, type ErrorBody } from '#shared/lib/app-error.ts'
import { err, ok, type Result } from '#shared/lib/result.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { AppState, StoreExtra } from './store.ts'

/** A command was refused and no one else shows it: a listener turns this into a notice. */
export const commandFailed = createAction<{ readonly type: string; readonly error: ErrorBody }>('command/failed')

/** Another window sent the same a moment ago: that is asked about, and no failure. */
export const JUST_SENT = 'message/just-sent'

/** Main went away meanwhile: whether it was done cannot be told. */
export const isUnanswered = ({ code }: ErrorBody): boolean => code === 'bridge/gone' || code === 'bridge/lost'

export type Command<Output> = ThunkAction<Promise<Result<Output, ErrorBody>>, AppState, StoreExtra, UnknownAction>

/**
 * Declares a command: `const castVote = command('polls/voteCast', (input: Vote, engine) => engine.polls.castVote(input))`.
 * Dispatching it answers a Result and never rejects. A failure raises a notice, unless `quiet` says that the caller
 * shows it where it happened.
 */
export function command<Input = void, Output = void>(
  type: string,
  run: (input: Input, engine: EngineClient) => Promise<Output>,
  options: { quiet?: boolean } = {},
): (input: Input) => Command<Output> {
  return (input) => async (dispatch, _getState, extra) => {
    try {
      return ok(await run(input, extra.engine))
    } catch (error) {
      const body = errorBodyOf(error)
      if (options.quiet !== true) dispatch(commandFailed({ type, error: body }))
      return err(body)
    }
  }
}

/** Anything thrown as something the user can be told. */
export function errorBodyOf(error: unknown): ErrorBody {
  if (error instanceof AppError) return error.toBody()
  return { code: 'internal', detail: error instanceof Error ? error.message : String(error) }
}
