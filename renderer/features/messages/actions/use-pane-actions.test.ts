import { describe, expect, test, vi } from 'vitest'
import { Selection } from './use-pane-actions.tsx'

const ORDER = ['a', 'b', 'c', 'd', 'e']
const picked = (selection: Selection): readonly string[] => [...selection.ids()]

describe('selecting messages', () => {
  test('toggles them one by one', () => {
    const selection = new Selection()
    selection.toggle('b')
    selection.toggle('d')
    expect(picked(selection)).toEqual(['b', 'd'])
    selection.toggle('b')
    expect(picked(selection)).toEqual(['d'])
  })

  test('a range grows and shrinks from its anchor, upwards too', () => {
    const selection = new Selection()
    selection.extendTo('d', 'c', ORDER)
    selection.extendTo('e', 'd', ORDER)
    expect(picked(selection)).toEqual(['c', 'd', 'e'])
    selection.extendTo('d', 'e', ORDER)
    expect(picked(selection)).toEqual(['c', 'd'])
    selection.extendTo('a', 'd', ORDER)
    expect(picked(selection)).toEqual(['a', 'b', 'c'])
  })

  test('at most a hundred', () => {
    const selection = new Selection()
    const many = Array.from({ length: 150 }, (_, at) => `m${at}`)
    selection.extendTo('m149', 'm0', many)
    expect(selection.ids().size).toBe(100)
    selection.toggle('m149')
    expect(selection.ids().size).toBe(100)
  })

  test('listeners are called for every change only', () => {
    const selection = new Selection()
    const listener = vi.fn<() => void>()
    const unsubscribe = selection.subscribe(listener)
    selection.clear()
    selection.toggle('a')
    selection.clear()
    unsubscribe()
    selection.toggle('a')
    expect(listener).toHaveBeenCalledTimes(2)
  })
})
