import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Icon } from './Icon.tsx'

afterEach(cleanup)

const drawn = (element: React.ReactElement) => render(element).container.querySelector('svg')

test('an icon is a symbol of the sprite in the page, 18 pixels by default', () => {
  const icon = drawn(<Icon name="bell" />)
  expect(icon?.querySelector('use')?.getAttribute('href')).toBe('#i-bell')
  expect(icon?.getAttribute('width')).toBe('18')
  expect(drawn(<Icon name="bell" size={24} />)?.getAttribute('height')).toBe('24')
})

test('screen readers and the keyboard skip it', () => {
  const icon = drawn(<Icon name="bell" />)
  expect(icon?.getAttribute('aria-hidden')).toBe('true')
  expect(icon?.getAttribute('focusable')).toBe('false')
})

test('only directional icons are mirrored in right-to-left text', () => {
  const classes = (element: React.ReactElement) => drawn(element)?.getAttribute('class') ?? ''
  expect(classes(<Icon name="arrow-left" />)).toContain('directed')
  expect(classes(<Icon name="bell" />)).not.toContain('directed')
})
