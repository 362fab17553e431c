import { useCallback, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

/** One tab stop for a whole list; arrows move inside, and the list remembers the last item. */
export type Roving = {
  /** The item that Tab focuses: the last one, else the first. */
  readonly activeId: string | undefined
  /** Spread on each item. */
  readonly itemProps: (id: string) => { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  /** Spread on the container that holds the items. */
  readonly containerProps: {
    readonly ref: RefObject<HTMLElement | null>
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onFocus: (event: FocusEvent) => void
  }
  /** Moves focus to an item, after revealing it if a virtual list has not rendered it. */
  readonly focus: (id: string) => void
}

type Options = {
  /** Item ids in the order of the screen. */
  readonly ids: readonly string[]
  readonly orientation?: 'vertical' | 'horizontal' | 'both'
  /** From the last item back to the first. */
  readonly wrap?: boolean
  /** The item that Tab focuses first. */
  readonly initialId?: string
  /** Items moved by Page Up and Page Down; absent leaves those keys alone. */
  readonly pageSize?: number
  /** Renders a row of a virtual list that is not in the document, before it is focused. */
  readonly reveal?: (id: string) => void
}

export function useRoving({
  ids,
  orientation = 'vertical',
  wrap = false,
  initialId,
  pageSize,
  reveal,
}: Options): Roving {
  const ref = useRef<HTMLElement>(null)
  const [remembered, setRemembered] = useState<string>()
  const activeId = [remembered, initialId].find((id) => id !== undefined && ids.includes(id)) ?? ids[0]

  const focus = useCallback(
    (id: string) => {
      setRemembered(id)
      if (focusInside(ref.current, id)) return
      reveal?.(id)
      requestAnimationFrame(() => requestAnimationFrame(() => focusInside(ref.current, id)))
    },
    [reveal],
  )

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (!isRovingTarget(event.target)) return
    const at = ids.indexOf(idOf(event.target) ?? activeId ?? '')
    const next = targetIndex(event.key, at, ids.length, { orientation, wrap, pageSize })
    const id = next === undefined ? undefined : ids[next]
    if (id === undefined) return
    event.preventDefault()
    focus(id)
  }

  const onFocus = (event: FocusEvent): void => {
    const id = idOf(event.target)
    if (id !== undefined) setRemembered(id)
  }

  return {
    activeId,
    itemProps: (id) => ({ tabIndex: id === activeId ? 0 : -1, 'data-roving-id': id }),
    containerProps: { ref, onKeyDown, onFocus },
    focus,
  }
}

type Move = { orientation: 'vertical' | 'horizontal' | 'both'; wrap: boolean; pageSize: number | undefined }

/** The index to move to, `undefined` for other keys. */
function targetIndex(key: string, at: number, count: number, move: Move): number | undefined {
  if (count === 0) return undefined
  const step = stepOf(key, move)
  if (step === undefined) return undefined
  if (step === -Infinity) return 0
  if (step === Infinity) return count - 1
  const next = at + step
  if (move.wrap && Math.abs(step) === 1) return (next + count) % count
  return Math.max(0, Math.min(count - 1, next))
}

function stepOf(key: string, { orientation, pageSize }: Move): number | undefined {
  const vertical = orientation !== 'horizontal'
  const horizontal = orientation !== 'vertical'
  if (key === 'Home') return -Infinity
  if (key === 'End') return Infinity
  if ((vertical && key === 'ArrowDown') || (horizontal && key === 'ArrowRight')) return 1
  if ((vertical && key === 'ArrowUp') || (horizontal && key === 'ArrowLeft')) return -1
  if (pageSize !== undefined && key === 'PageDown') return pageSize
  if (pageSize !== undefined && key === 'PageUp') return -pageSize
  return undefined
}

/** Text fields and widgets inside a row handle arrows themselves. */
function isRovingTarget(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false
  return !target.matches('input, textarea, select, [contenteditable], [role="slider"], [role="tab"]')
}

const idOf = (target: EventTarget): string | undefined =>
  target instanceof Element
    ? (target.closest('[data-roving-id]')?.getAttribute('data-roving-id') ?? undefined)
    : undefined

function focusInside(container: HTMLElement | null, id: string): boolean {
  const items = container?.querySelectorAll<HTMLElement>('[data-roving-id]') ?? []
  for (const item of items) {
    if (item.dataset['rovingId'] !== id) continue
    item.focus()
    return true
  }
  return false
}
