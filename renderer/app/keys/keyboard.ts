import { useEffect } from 'react'
import type { HostInfo } from '#shared/bridge/transport.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { typeText } from '../../features/composer/index.ts'
import { isPrintable, matches, type Chord, keyOf } from '../../lib/text/chords.ts'
import { type ActionContext, useRegistry, type RegisteredAction } from '../../registry/feature.ts'
import { selectOpenCid, selectSettings } from '../../store/selectors.ts'
import { COMMANDS } from '../../store/commands.ts'
import { useAppStore, useAppServices } from '../../store/hooks.ts'
import { ownsSidebar } from '../../store/window/kinds.ts'
import { wentBack, wentForward, panelClosed, viewLeft } from '../../store/window/ui.ts'
import { keyMeaning, placeOf, chordsNow } from './shortcuts.tsx'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { markChannelRead } from '../../features/sidebar/index.ts'
import { selectBusyPlace, stopAssistant } from '../../features/typing/index.ts'
import { tabStops } from '../../lib/page/focus.ts'

/** The regions of the window in the order of F6. */
const REGIONS = [
  '[data-region="messages"]',
  '[data-region="composer"]',
  '[data-region="panel"]',
  '[data-region="panel"] [data-composer]',
  '[data-region="accounts"]',
  '[data-region="sidebar"]',
  '[data-region="header"]',
  '[data-region="demo"]',
  '[data-region="banner"]',
  '[data-region="notices"]',
] as const

/** Moves focus to the next region of the window with a focusable element. */
export function focusRegion(direction: 1 | -1): void {
  const found = REGIONS.flatMap((selector) => {
    const element = document.querySelector<HTMLElement>(selector)
    const target = element === null ? undefined : entryOf(element)
    return element === null || target === undefined ? [] : [{ element, target }]
  })
  if (found.length === 0) return
  // The innermost region counts: a composer inside the panel is a separate region.
  const inside = found.filter(({ element }) => element.contains(document.activeElement))
  const here = inside.at(-1)
  const at = here === undefined ? (direction === 1 ? -1 : 0) : found.indexOf(here)
  found[(at + direction + found.length) % found.length]?.target.focus()
}

/** Where focus enters a region: its text field, the remembered row of its list, else its first control. */
function entryOf(region: HTMLElement): HTMLElement | undefined {
  if (region.matches('textarea')) return region
  const field = region.dataset['region'] === 'composer' ? region.querySelector<HTMLElement>('[data-composer]') : null
  // Focus enters the other half at its messages, as in the first half.
  const message = region.querySelector<HTMLElement>('[data-other-half] [data-message-id][tabindex="0"]')
  return field ?? message ?? region.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]') ?? tabStops(region)[0]
}

/** Focuses the composer of a channel. Returns false when there is none or it already has the focus. */
function focusComposer(cid: string): boolean {
  const field = [...document.querySelectorAll<HTMLElement>('[data-composer]')].find(
    (element) => element.dataset['composer'] === cid,
  )
  if (field === undefined || field === document.activeElement) return false
  field.focus()
  return true
}

/**
 * Listens for the whole window. Handlers nearer to the focus come first and prevent the default.
 *
 * A window of one channel or thread handles only the actions that act on it.
 */
export function useKeyboard(): void {
  const store = useAppStore()
  const { engine, bridge, own } = useAppServices()
  const { actions } = useRegistry()
  useEffect(() => {
    const here = own === undefined ? actions : actions.filter(({ inOwnWindow }) => inOwnWindow)
    const context: ActionContext = { dispatch: store.dispatch, getState: () => store.getState(), engine }
    const listen = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && handleKey(here, event, context, bridge.host.os)) event.preventDefault()
    }
    const known = new WeakSet<Event>()
    const { os } = bridge.host
    const activeSequences = (): readonly Chord[] => {
      const all = actions.flatMap((action) => chordsNow(action, os, selectSettings(store.getState()).keys))
      return all.filter((chord) => chord.includes(' ') && !all.includes(chord.split(' ')[0] ?? ''))
    }
    const sequences = createKeySequences({
      chords: activeSequences,
      run(chord) {
        const { keys } = selectSettings(store.getState())
        allowedTo(here, context)
          .find((action) => chordsNow(action, os, keys).includes(chord))
          ?.run?.(context)
      },
      type: (letter, target) => typeLetter(letter, target, context),
    })
    /** In the capture phase: custom keys are replaced with the default key that the list or field handles. */
    const listenCapture = (event: KeyboardEvent): void => {
      const handled = known.has(event) ? undefined : sequences.handle(event)
      if (handled !== undefined) {
        event.stopImmediatePropagation()
        if (handled === 'used') event.preventDefault()
        return
      }
      const place = known.has(event) ? undefined : placeOf(event.target)
      const meaning = place && keyMeaning(actions, event, place, os, selectSettings(store.getState()).keys)
      if (!meaning) return
      event.stopImmediatePropagation()
      if (meaning.kind === 'nothing') {
        if (handleKey(here, event, context, os)) event.preventDefault()
        return
      }
      event.preventDefault()
      const press = new KeyboardEvent('keydown', { ...meaning.press, bubbles: true, cancelable: true })
      known.add(press)
      event.target?.dispatchEvent(press)
    }
    const endCommands = store.objects.of(COMMANDS).handle('runAction', ({ id }) =>
      allowedTo(here, context)
        .find((action) => action.id === id)
        ?.run?.(context),
    )
    const listenMouse = (event: MouseEvent): void => {
      const step = STEPS[event.button]
      if (step === undefined) return
      // The app has its own history; the browser's must not move.
      event.preventDefault()
      if (event.type === 'mouseup') store.dispatch(step())
    }
    window.addEventListener('mousedown', listenMouse)
    window.addEventListener('mouseup', listenMouse)
    window.addEventListener('keydown', listenCapture, true)
    window.addEventListener('keydown', listen)
    return () => {
      sequences.stop()
      window.removeEventListener('mousedown', listenMouse)
      window.removeEventListener('mouseup', listenMouse)
      window.removeEventListener('keydown', listenCapture, true)
      window.removeEventListener('keydown', listen)
      endCommands()
    }
  }, [store, engine, bridge, own, actions])
}

/** The buttons at the side of a mouse. */
const STEPS: Readonly<
  Record<number, (() => ReturnType<typeof wentBack> | ReturnType<typeof wentForward>) | undefined>
> = {
  3: wentBack,
  4: wentForward,
}

const isAllowed = ({ allowed }: RegisteredAction, { getState }: ActionContext): boolean =>
  allowed?.(getState()) !== false

const allowedTo = (actions: readonly RegisteredAction[], context: ActionContext): readonly RegisteredAction[] =>
  actions.filter((action) => isAllowed(action, context))

/** Returns whether the key was handled. */
function handleKey(
  actions: readonly RegisteredAction[],
  event: KeyboardEvent,
  context: ActionContext,
  os: HostInfo['os'],
): boolean {
  const { keys } = selectSettings(context.getState())
  const action = actions.find(
    (candidate) =>
      candidate.run !== undefined &&
      isAllowed(candidate, context) &&
      !(candidate.outsideFields === true && isInField(event.target)) &&
      chordsNow(candidate, os, keys).some((chord) => matches(event, chord, os) && countsHere(chord, event.target)),
  )
  const inOverlay = event.target instanceof Element && event.target.closest('dialog, [popover]') !== null
  if (inOverlay && action?.id !== 'switcher') return false
  if (action?.run !== undefined) {
    const chords = chordsNow(action, os, keys)
    action.run(
      context,
      chords.findIndex((chord) => matches(event, chord, os)),
    )
    return true
  }
  if (event.key === 'Escape' && !event.isComposing) return escape(context)
  if (isPrintable(event)) typeInComposer(event, context)
  return false
}

/** Types a letter that turned out not to begin a sequence where it would have been typed. */
function typeLetter(letter: string, target: EventTarget | null, context: ActionContext): boolean {
  typeInComposer({ target }, context)
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement) || field.dataset['composer'] === undefined) return false
  typeText(field, letter)
  return true
}

/** Moves focus to the composer beside the list, so that the letter being pressed is typed there. */
function typeInComposer({ target }: Pick<KeyboardEvent, 'target'>, { getState }: ActionContext): void {
  if (isInField(target)) return
  const inPanel = target instanceof Element ? target.closest('[data-region="panel"]') : null
  const reply = inPanel?.querySelector<HTMLElement>('[data-composer]')
  if (reply) return reply.focus()
  const { route } = getState().ui
  const cid = selectOpenCid(getState())
  if (route.view === 'thread') focusComposer(composerKey(route.cid, route.parentId))
  else if (cid !== undefined) focusComposer(cid)
}

/**
 * The last steps of Escape; handlers nearer to the focus come first and prevent the default.
 * Returns whether it did something.
 */
function escape({ dispatch, getState }: ActionContext): boolean {
  const { ui } = getState()
  if (ownsSidebar(ui.route.view)) {
    dispatch(viewLeft())
    return true
  }
  const busy = selectBusyPlace(getState())
  if (busy !== undefined) {
    void dispatch(stopAssistant(busy))
    return true
  }
  if (ui.panel !== undefined && ui.panel.kind !== 'channel') {
    dispatch(panelClosed())
    return true
  }
  // In the other half Escape acts as in any channel, and closes the half only if it does nothing else there.
  if (ui.inSplit === true && ui.split !== undefined) {
    if (!escapeInChannel({ dispatch, getState }, ui.split)) dispatch(panelClosed())
    return true
  }
  if (ui.route.view === 'search') {
    dispatch(viewLeft())
    return true
  }
  return ui.route.view === 'channel' && escapeInChannel({ dispatch, getState }, ui.route.cid)
}

function escapeInChannel({ dispatch, getState }: Pick<ActionContext, 'dispatch' | 'getState'>, cid: Cid): boolean {
  if (focusComposer(cid)) return true
  const { entities, ui } = getState()
  if ((entities.channels[cid]?.unread ?? 0) === 0 || ui.atBottom[cid] !== true) return false
  void dispatch(markChannelRead({ cid: asCid(cid) }))
  return true
}

const isInField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

const FIELD = 'input, textarea, select, [contenteditable], dialog, [popover]'

/** A row of a list has the focus: letters there are shortcuts, not text. */
const isOnRow = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(FIELD) === null &&
  target.closest('[data-message-id], [data-roving-id]') !== null

/** A single symbol is a shortcut on a row, and text everywhere else. */
const countsHere = (chord: Chord, target: EventTarget | null): boolean => chord.length > 1 || isOnRow(target)

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

/** How long the first letter of a sequence waits for the second, in milliseconds. */
const SEQUENCE_TIMEOUT_MS = 800

type Options = {
  /** The sequences in use, such as `G T`. */
  readonly chords: () => readonly Chord[]
  readonly run: (chord: Chord) => void
  /** The letter did not begin a sequence: types it where it would have been. Returns whether there is such a place. */
  readonly type: (letter: string, target: EventTarget | null) => boolean
}

type KeySequences = {
  /** `used`: part of a sequence. `text`: typed after a letter that was typed too, so rows must not handle it. */
  handle(event: KeyboardEvent): 'used' | 'text' | undefined
  stop(): void
}

/** Sequences of two letters pressed on a row, such as `G T`, for hosts where other keys are taken by the browser. */
function createKeySequences({ chords, run, type }: Options): KeySequences {
  let waiting: { readonly letter: string; readonly target: EventTarget | null } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): boolean => {
    clearTimeout(timer)
    const was = waiting
    waiting = undefined
    return was !== undefined && type(was.letter, was.target)
  }
  return {
    handle(event) {
      if (MODIFIERS.has(event.key)) return undefined
      if (!isPrintable(event)) {
        flush()
        return undefined
      }
      const letter = keyOf(event).toUpperCase()
      const chord = waiting && chords().find((each) => each === `${waiting?.letter.toUpperCase()} ${letter}`)
      if (chord !== undefined) {
        clearTimeout(timer)
        waiting = undefined
        run(chord)
        return 'used'
      }
      if (flush()) return 'text'
      if (!isOnRow(event.target) || !chords().some((each) => each.startsWith(`${letter} `))) return undefined
      waiting = { letter: event.key, target: event.target }
      timer = setTimeout(flush, SEQUENCE_TIMEOUT_MS)
      return 'used'
    },
    stop: () => clearTimeout(timer),
  }
}
