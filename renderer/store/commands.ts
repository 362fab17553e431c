import { useEffect, useRef } from 'react'
import type { ExportProgress } from '#shared/domain/export.ts'
import type { MoveProgress } from '#shared/domain/sharing.ts'
import { useObject } from './hooks.ts'
import { perWindow } from './objects.ts'
import type { Thunk } from './store.ts'

/** Commands that one part of the window may send to another that is on screen, with their inputs. */
type Commands = {
  /** Runs a registered action by its id: from a native menu or a button of a notice. */
  readonly runAction: { readonly id: string }
  /** Ends all live locations of the viewer. */
  readonly stopSharing: void
  /** How far the export of this window is. */
  readonly exportProgressed: ExportProgress
  readonly moveProgressed: MoveProgress
  /** The state of sharing on the network may have changed. */
  readonly sharingChanged: void
  /** The import of history may have begun, moved on or ended. */
  readonly importChanged: void
  /** Jumps to the newest message of a list and focuses it; `react` opens the reaction picker on it. */
  readonly goToNewest: { readonly place: string | undefined; readonly react: boolean }
  /** Opens a tool of the composer with this key, as its button does. */
  readonly openTool: { readonly composer: string; readonly tool: ComposerTool }
  /** Plays a sound that is on screen at this speed. */
  readonly playSound: { readonly player: HTMLMediaElement; readonly speed: number }
}

export type ComposerTool = 'attach' | 'emoji' | 'preview' | 'sendMenu'

type Handler<Name extends keyof Commands> = (input: Commands[Name]) => void

/** The parts of one window that carry out commands. A command that none of them carries out does nothing. */
export class CommandRegistry {
  readonly #handlers = new Map<keyof Commands, Set<Handler<never>>>()

  /** Returns the function that ends it. */
  handle<Name extends keyof Commands>(name: Name, handler: Handler<Name>): () => void {
    const handlers = this.#handlers.get(name) ?? new Set()
    this.#handlers.set(name, handlers.add(handler))
    return () => void handlers.delete(handler)
  }

  send<Name extends keyof Commands>(name: Name, input: Commands[Name]): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(input as never)
  }
}

export const COMMANDS = perWindow(() => new CommandRegistry())

/** Sends a command: `dispatch(sendCommand('stopSharing'))`. */
export const sendCommand =
  <Name extends keyof Commands>(name: Name, ...input: Commands[Name] extends void ? [] : [Commands[Name]]): Thunk =>
  (_dispatch, _getState, { objects }) =>
    objects.of(COMMANDS).send(name, input[0] as Commands[Name])

/** Carries out a command while the component is mounted and `on`. */
export function useCommand<Name extends keyof Commands>(name: Name, handler: Handler<Name>, on = true): void {
  const commands = useObject(COMMANDS)
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => (on ? commands.handle(name, (input) => latest.current(input)) : undefined), [commands, name, on])
}
