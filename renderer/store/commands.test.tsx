import { act, cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { CommandRegistry, sendCommand, useCommand } from './commands.ts'

afterEach(cleanup)

test('a command reaches every part that carries it out, and no other', () => {
  const commands = new CommandRegistry()
  const got: string[] = []
  const end = commands.handle('runAction', ({ id }) => {
    got.push(`first ${id}`)
    end()
  })
  commands.handle('runAction', ({ id }) => got.push(`second ${id}`))
  commands.handle('stopSharing', () => got.push('stopped'))
  commands.send('runAction', { id: 'a' })
  commands.send('runAction', { id: 'b' })
  expect(got).toEqual(['first a', 'second a', 'second b'])
})

test('a component carries out a command once, until it is unmounted', async () => {
  const got: string[] = []
  function Part({ name }: { readonly name: string }) {
    useCommand('runAction', ({ id }) => void got.push(`${name} ${id}`))
    return null
  }
  const { store, unmount } = await renderInApp(<Part name="part" />, createFakeBridge())
  act(() => store.dispatch(sendCommand('runAction', { id: 'a' })))
  expect(got).toEqual(['part a'])
  unmount()
  store.dispatch(sendCommand('runAction', { id: 'b' }))
  expect(got).toEqual(['part a'])
})
