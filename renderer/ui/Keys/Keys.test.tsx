import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Keys } from './Keys.tsx'

afterEach(cleanup)

test('each key is a separate keycap, in the given order', () => {
  const { container } = render(<Keys keys={['Ctrl', 'Shift', 'K']} />)
  expect([...container.querySelectorAll('kbd')].map((key) => key.textContent)).toEqual(['Ctrl', 'Shift', 'K'])
})
