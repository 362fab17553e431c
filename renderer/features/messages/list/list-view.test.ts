import { afterEach, expect, test, vi } from 'vitest'
import { StillResizeObserver } from '#kit/still-resize-observer.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import type { Row } from '../model/rows.ts'
import { ListSizes } from './list-layout.ts'
import { AT_END, ListView, type ListShape } from './list-view.ts'

const LIST = 'timeline:team:general'

const shapeOf = (...ids: readonly string[]): ListShape => ({
  rows: ids.map((id): Row => ({ kind: 'message', key: asMessageId(id), id: asMessageId(id), continued: false })),
  hasOlder: false,
  hasNewer: false,
  busy: false,
})
/** Rows `from` to `to`, exclusive. */
const numbered = (from: number, to: number): ListShape =>
  shapeOf(...Array.from({ length: to - from }, (_each, index) => `m${from + index}`))
const keysOf = (rows: readonly Row[]): readonly string[] => rows.map(({ key }) => key)

afterEach(() => vi.unstubAllGlobals())

/** A list in a page with a view of 900 pixels, whose animation frames the test runs. */
function inPage() {
  const waiting = new Map<number, () => void>()
  let last = 0
  vi.stubGlobal('ResizeObserver', StillResizeObserver)
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    waiting.set((last += 1), run)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => waiting.delete(id))
  const scroller = document.createElement('div')
  scroller.dataset['messageList'] = 'general'
  Object.defineProperty(scroller, 'clientHeight', { value: 900 })
  const content = scroller.appendChild(document.createElement('div'))
  const view = new ListView(new ListSizes(900), LIST)
  view.attach(content)
  const onSpan = vi.fn<() => void>()
  view.listen({ onSpan, onOlder: () => undefined, onNewer: () => undefined, onAtEnd: () => undefined })
  return {
    onSpan,
    show: (shape: ListShape): number => {
      const plan = view.plan(shape)
      view.commit(plan)
      return plan.span.end - plan.span.start
    },
    frame: (): void => {
      const due = [...waiting.values()]
      waiting.clear()
      for (const run of due) run()
    },
  }
}

test('when all rows in view are replaced, those outside it are mounted once no more come for two frames', () => {
  const { show, frame, onSpan } = inPage()
  show(numbered(0, 100))
  frame()
  frame()
  const whole = show(numbered(0, 100))
  expect(show(numbered(0, 101))).toBe(whole)
  const viewOnly = show(numbered(0, 201))
  expect(viewOnly).toBeLessThan(whole)
  onSpan.mockClear()
  frame()
  expect(show(numbered(0, 301))).toBe(viewOnly)
  frame()
  expect(show(numbered(0, 401))).toBe(viewOnly)
  expect(onSpan).not.toHaveBeenCalled()
  frame()
  frame()
  expect(onSpan).toHaveBeenCalledWith(false)
  expect(show(numbered(0, 401))).toBe(whole)
})

test('a list that is shown again mounts the rows that fit, by the heights they had', () => {
  vi.stubGlobal('ResizeObserver', StillResizeObserver)
  const sizes = new ListSizes(900)
  const shape = shapeOf('a', 'b', 'c', 'd', 'e')
  const scroller = document.createElement('div')
  scroller.dataset['messageList'] = 'general'
  const content = scroller.appendChild(document.createElement('div'))
  for (const { key } of shape.rows) {
    const slot = content.appendChild(document.createElement('div'))
    slot.dataset['row'] = key
    slot.getBoundingClientRect = () => new DOMRect(0, 0, 500, 300)
  }
  const mounted = (view: ListView): number => {
    const { span } = view.plan(shape)
    return span.end - span.start
  }
  const first = new ListView(sizes, LIST)
  expect(mounted(first)).toBe(5)
  const leave = first.attach(content)
  first.commit(first.plan(shape))
  leave()
  const again = new ListView(sizes, LIST)
  expect(mounted(again)).toBe(3)
  // Its sticky day is rendered with the rows.
  expect(again.headRow()).toBe(first.headRow())
  expect(first.headRow()).toBeDefined()
})

test('a discarded render moves nothing, and a repeated one has the same result', () => {
  const view = new ListView(new ListSizes(900), LIST)
  view.commit(view.plan(shapeOf('a', 'b', 'c')))
  const landing = { visit: 1, position: { key: 'y', offset: 7 } }
  const other = shapeOf('x', 'y', 'z')
  const plan = view.plan(other, landing)
  expect(plan.position).toEqual({ key: 'y', offset: 7 })
  expect(view.plan(other, landing)).toEqual(plan)
  expect(view.where()).toEqual(AT_END)
  expect(keysOf(view.rows)).toEqual(['a', 'b', 'c'])
  view.commit(plan)
  expect(view.where()).toEqual({ key: 'y', offset: 7 })
  expect(keysOf(view.rows)).toEqual(['x', 'y', 'z'])
})

test('a plan that is committed twice lands once, and one made before the list was scrolled starts from its current position', () => {
  const view = new ListView(new ListSizes(900), LIST)
  const shape = shapeOf('a', 'b', 'c')
  const plan = view.plan(shape, { visit: 1, position: { key: 'b', offset: 7 } })
  view.commit(plan)
  view.reveal('c')
  const there = view.where()
  view.commit(plan)
  expect(view.where()).toBe(there)
  expect(view.isUntouched).toBe(false)
  const late = view.plan(shapeOf('a', 'b', 'c', 'd'))
  view.reveal('a')
  view.commit(late)
  expect(view.where()).toMatchObject({ key: 'a' })
  expect(keysOf(view.rows)).toEqual(['a', 'b', 'c', 'd'])
})

test('when the row at the scroll position is removed, the nearest remaining one takes its place', () => {
  const view = new ListView(new ListSizes(900), LIST)
  view.commit(view.plan(shapeOf('a', 'b', 'c'), { visit: 1, position: { key: 'b', offset: 7 } }))
  view.commit(view.plan(shapeOf('a', 'c')))
  expect(view.where()).toEqual({ key: 'c', offset: 7 })
})
