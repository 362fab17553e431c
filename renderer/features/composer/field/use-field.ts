import { useLayoutEffect, useRef, type RefObject, useEffect, useMemo } from 'react'
import { TYPING_AUTO_STOP_MS, TYPING_RESEND_MS } from '#shared/constants.ts'
import { mayPublishTyping, sharesTyping } from '#shared/rules/channels/typing.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { ComposerState } from '../../../store/composers/composers.ts'
import { type SettledChannel, useConnection, useEngine, useSession, useSettings } from '../../../store/hooks.ts'
import { takeEarlyText } from '../../../ui/Modal/Modal.tsx'
import { applyEdit, type Edit } from '../format/markdown.ts'
import type { Place } from '../selectors.ts'

/**
 * The text field, its caret and selection. While typing, the browser moves the caret; text from elsewhere (a draft, an
 * edit, a message withdrawn) restores the caret saved with it. A focus request is fulfilled once.
 *
 * @returns the field, and `ownText`, which the caller calls after each input event
 */
export function useField(
  composer: ComposerState,
  isThread: boolean,
): { readonly field: RefObject<HTMLTextAreaElement | null>; readonly ownText: (text: string) => void } {
  const field = useRef<HTMLTextAreaElement>(null)
  const own = useRef<string>(undefined)
  const fulfilled = useRef<number>(undefined)
  const { text, caret, selectedTo = caret, focusRequest } = composer

  useLayoutEffect(() => {
    if (own.current === text || field.current === null) return
    own.current = text
    field.current.setSelectionRange(caret, selectedTo)
    field.current.scrollTop = field.current.scrollHeight
  }, [text, caret, selectedTo])

  useLayoutEffect(() => {
    const first = fulfilled.current === undefined
    const requested = first ? focusRequest > 0 : fulfilled.current !== focusRequest
    fulfilled.current = focusRequest
    if (requested || (first && !isThread && mayTakeFocus())) field.current?.focus({ preventScroll: true })
    if (requested) takeEarlyText(field.current)
  }, [focusRequest, isThread])

  return {
    field,
    ownText: (typed) => {
      own.current = typed
    },
  }
}

/** Opening a channel with the mouse or at start focuses the field; moving through the channel list by keyboard does not. */
function mayTakeFocus(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.matches(':focus-visible, input, textarea')
}

/**
 * Edits a text field as if the user had typed, so that one native undo reverts the edit. `execCommand` is the only way
 * to reach the native undo stack; where it is missing (some test environments) the value is set and an input event
 * dispatched.
 */
export function editField(field: HTMLTextAreaElement, edit: Edit): void {
  field.focus()
  field.setSelectionRange(edit.from, edit.to)
  const command = edit.insert === '' ? 'delete' : 'insertText'
  const nothingToDo = edit.insert === '' && edit.from === edit.to
  const typed = nothingToDo || tryCommand(field, command, edit.insert)
  if (!typed) {
    setNatively(field, applyEdit(field.value, edit))
    field.dispatchEvent(new InputEvent('input', { bubbles: true, data: edit.insert, inputType: 'insertText' }))
  }
  field.setSelectionRange(edit.selectFrom, edit.selectTo)
}

/** Inserts text at the caret. */
export function typeText(field: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to } = field
  const after = from + text.length
  editField(field, { from, to, insert: text, selectFrom: after, selectTo: after })
}

function tryCommand(field: HTMLTextAreaElement, command: string, text: string): boolean {
  const page = field.ownerDocument
  return typeof page.execCommand === 'function' && page.execCommand(command, false, text)
}

/** React tracks `value` on the element itself; a change is detected only when set through the prototype's setter. */
function setNatively(field: HTMLTextAreaElement, text: string): void {
  const property = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')
  property?.set?.call(field, text)
}

type TypingSignal = {
  /** The text changed. Empty text stops the signal. */
  readonly typed: (text: string) => void
  readonly stop: () => void
}

/** Publishes typing.start at most every 2 s, and typing.stop after 1 s without a key. docs/wire.md 7.11. */
export function useTypingSignal(place: Place, channel: SettledChannel): TypingSignal {
  const engine = useEngine()
  const publishTyping = sharesTyping(useSettings(), useSession(), channel.cid)
  const { state } = useConnection()
  const allowed = mayPublishTyping({
    config: channel.config,
    capabilities: channel.capabilities,
    healthy: state === 'healthy',
    publishTyping,
  })
  const signal = useMemo(() => new Signal(engine, place), [engine, place])
  useEffect(() => () => signal.stop(), [signal])
  return useMemo(
    () => ({
      typed: (text) => (allowed && text.trim() !== '' ? signal.start() : signal.stop()),
      stop: () => signal.stop(),
    }),
    [allowed, signal],
  )
}

class Signal {
  readonly #engine: EngineClient
  readonly #place: Place
  #sentAt: number | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(engine: EngineClient, place: Place) {
    this.#engine = engine
    this.#place = place
  }

  start(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.stop(), TYPING_AUTO_STOP_MS)
    const now = Date.now()
    if (this.#sentAt !== undefined && now - this.#sentAt < TYPING_RESEND_MS) return
    this.#sentAt = now
    this.#notify(true)
  }

  stop(): void {
    clearTimeout(this.#idle)
    if (this.#sentAt === undefined) return
    this.#sentAt = undefined
    this.#notify(false)
  }

  /** A lost typing signal does no harm: the failure is only logged. */
  #notify(typing: boolean): void {
    const { cid, parentId } = this.#place
    this.#engine.channels
      .typing({ cid, typing, parentId })
      .catch((error: unknown) => console.debug('typing not sent', error))
  }
}
