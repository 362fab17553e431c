import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { optionPress } from './option-press.ts'

afterEach(cleanup)

test('an option is chosen where the press ends, and the focus stays in the field', () => {
  const onChoose = vi.fn<() => void>()
  render(
    <div role="option" aria-selected={false} tabIndex={-1} {...optionPress(onChoose)}>
      Ola
    </div>,
  )
  const option = screen.getByRole('option')
  expect(fireEvent.pointerDown(option)).toBe(false)
  fireEvent.pointerUp(document.body)
  expect(onChoose).not.toHaveBeenCalled()
  fireEvent.click(option)
  expect(onChoose).toHaveBeenCalledOnce()
})
