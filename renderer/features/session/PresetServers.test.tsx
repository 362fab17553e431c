import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { ConnectForm } from './ConnectForm.tsx'

afterEach(cleanup)

test('a server that is offered fills in its address and key', async () => {
  const ServerList = [{ name: 'Cairn Maps', url: 'https://chat.example', apiKey: 'key-1' }]
  const managed = { sources: [], values: { ServerList }, unknown: [], refused: [] }
  await renderInApp(<ConnectForm onBack={() => {}} />, createFakeBridge({ host: { managed } }))
  await userEvent.setup().click(screen.getByRole('button', { name: 'Cairn Maps' }))
  expect(['Server address', 'API key'].map((name) => screen.getByLabelText<HTMLInputElement>(name).value)).toEqual([
    'https://chat.example',
    'key-1',
  ])
})
