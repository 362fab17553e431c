import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { TrustedCertificate } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { NetworkDialog } from './Network.tsx'

afterEach(cleanup)

async function show(
  refuses?: { readonly call: string; readonly code: string },
  trusted: readonly TrustedCertificate[] = [],
) {
  const calls: [string, unknown][] = []
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  for (const name of ['settings.update', 'settings.setProxyPassword', 'settings.testNetwork']) {
    bridge.on(name, (input) => {
      calls.push([name, input])
      if (refuses?.call === name) throw new AppError(refuses.code)
      return name === 'settings.testNetwork' ? { status: 200, tookMs: 42 } : undefined
    })
  }
  bridge.on('certificates.list', () => trusted)
  bridge.on('certificates.own', () => ({}))
  await renderInApp(<NetworkDialog />, bridge)
  return { calls, bridge, user: userEvent.setup() }
}

test('an empty password field keeps the saved password, and clearing the user name removes it', async () => {
  const { calls, user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'http://proxy.example:3128')
  await user.type(screen.getByLabelText('Proxy user name'), 'ola')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText('Applied.')
  expect(calls.map(([name]) => name)).toEqual(['settings.update'])
  await user.clear(screen.getByLabelText('Proxy user name'))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText('Applied.')
  expect(calls[1]).toEqual(['settings.setProxyPassword', { password: '' }])
})

test('a proxy is entered, applied with its password, and tested', async () => {
  const { calls, user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'http://proxy.example:3128')
  await user.type(screen.getByLabelText('Proxy user name'), 'ola')
  await user.type(screen.getByLabelText('Proxy password'), 'secret')
  await user.type(screen.getByLabelText('Address to test'), 'chat.example')
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('The server responded in 42 ms.')).toBeTruthy()
  expect(calls).toEqual([
    ['settings.setProxyPassword', { password: 'secret' }],
    [
      'settings.update',
      { proxyMode: 'manual', proxyUrl: 'http://proxy.example:3128', proxyUser: 'ola', proxyBypass: '' },
    ],
    ['settings.testNetwork', { url: 'https://chat.example' }],
  ])
})

test('an invalid address is refused at its field, and stays to be corrected', async () => {
  const { user } = await show({ call: 'settings.update', code: 'network/proxy-url' })
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'proxy')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  const field = screen.getByLabelText<HTMLInputElement>('Proxy address')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.value).toBe('proxy')
})

test('a failed test shows the error below the tested address', async () => {
  const { user } = await show({ call: 'settings.testNetwork', code: 'network/proxy-sign-in' })
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect((await screen.findByRole('alert')).textContent).toContain('name and password')
})

const AUTHORITY: TrustedCertificate = {
  fingerprint: 'AB:CD',
  subject: 'Cairn Authority',
  issuer: 'Root of Cairn',
  validFrom: 0,
  validTo: Date.UTC(2031, 4, 2, 12),
  by: 'person',
}

test('the content of a certificate file is shown before it is trusted, and can be removed later', async () => {
  const { bridge, user } = await show()
  bridge.on('certificates.read', () => [AUTHORITY])
  bridge.on('certificates.trust', () => [AUTHORITY])
  bridge.on('certificates.remove', () => [])
  await user.upload(screen.getByLabelText('Choose a file…', { selector: 'input' }), new File(['PEM'], 'own.pem'))
  const found = within(await screen.findByRole('region', { name: 'In this file' }))
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'In this file' }))
  expect(found.getByText('Cairn Authority')).toBeTruthy()
  expect(found.getByText(/Issued by Root of Cairn\. Valid until .*2031/)).toBeTruthy()
  expect(found.getByText('AB:CD')).toBeTruthy()
  expect(bridge.inputsOf('certificates.trust')).toEqual([])
  await user.click(found.getByRole('button', { name: 'Trust certificate' }))
  await screen.findByText('Certificates trusted.')
  await user.click(screen.getByRole('button', { name: 'Remove Cairn Authority' }))
  await screen.findByText('Cairn Authority is no longer trusted.')
  expect(bridge.inputsOf('certificates.trust')).toEqual([{ text: 'PEM' }])
  expect(bridge.inputsOf('certificates.remove')).toEqual([{ fingerprint: 'AB:CD' }])
})

test('a DER certificate is read too; another file is refused with a message', async () => {
  const { bridge, user } = await show()
  bridge.on('certificates.read', () => {
    throw new AppError('certificates/none')
  })
  await user.upload(
    screen.getByLabelText('Choose a file…', { selector: 'input' }),
    new File([new Uint8Array([0x30, 0x01])], 'own.cer'),
  )
  expect((await screen.findByRole('alert')).textContent).toContain('This file contains no certificate.')
  expect(bridge.inputsOf('certificates.read')).toEqual([
    { text: '-----BEGIN CERTIFICATE-----\nMAE=\n-----END CERTIFICATE-----\n' },
  ])
})

test('a certificate from a policy cannot be removed here', async () => {
  await show(undefined, [{ ...AUTHORITY, by: 'policy' }])
  await screen.findByText('Cairn Authority')
  expect(screen.queryByRole('button', { name: 'Remove Cairn Authority' })).toBeNull()
})

test('a client certificate is set for one server by name, and can be removed', async () => {
  const { bridge, user } = await show()
  const certificate = { ...AUTHORITY, subject: 'Ola Nowak', host: 'chat.example' }
  bridge.on('certificates.setOwn', ({ passphrase }: { passphrase: string }) => {
    if (passphrase === '') throw new AppError('identity/passphrase')
    return certificate
  })
  bridge.on('certificates.removeOwn', () => undefined)
  const field = screen.getByLabelText(/One PKCS#12 file/, { selector: 'input' })
  await user.upload(field, [new File(['A'], 'ola.crt'), new File(['B'], 'ola.key')])
  await screen.findByText('Chosen: ola.crt and ola.key')
  await user.type(screen.getByLabelText('Server'), 'chat.example')
  await user.click(screen.getByRole('button', { name: 'Use certificate' }))
  await screen.findByText('Wrong passphrase. Type it again.')
  await user.type(screen.getByLabelText('File passphrase'), 'open')
  await user.click(screen.getByRole('button', { name: 'Use certificate' }))
  await screen.findByText('Shown to chat.example.')
  expect(bridge.inputsOf('certificates.setOwn').at(-1)).toEqual({
    host: 'chat.example',
    files: ['QQ==', 'Qg=='],
    passphrase: 'open',
  })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Certificate removed.')
})
