import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICON_NAMES } from '../../renderer/ui/Icon/Icon.tsx'

test('the icon names the interface may use are those of the sprite', () => {
  const sprite = readFileSync(new URL('../../resources/icons.svg', import.meta.url), 'utf8')
  const ids = [...sprite.matchAll(/id="i-([^"]+)"/g)].map((match) => match[1])
  expect(ids.length).toBeGreaterThan(100)
  expect([...ICON_NAMES]).toEqual(ids)
})
