import { createRef, useState } from 'react'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { startI18n } from '../../i18n/index.ts'
import { aboutBelow, FieldFrame, TextField, TextArea, FindField } from './TextField.tsx'
import { NewPassphraseFields, useNewPassphrase } from './Passphrase.tsx'
import { PictureField, pictureFrom, PictureInput } from './PictureField.tsx'

beforeEach(() => startI18n('en'))
afterEach(cleanup)

const nothing = (): void => undefined

test('the hint below a field is its description; an error replaces it, is read out and marks the field', () => {
  const frame = (error: string | undefined) => (
    <FieldFrame id="name" label="Name" optional="optional" error={error} hint="Shown to all">
      <input id="name" {...aboutBelow('name', error, 'Shown to all')} />
    </FieldFrame>
  )
  const { rerender } = render(frame(undefined))
  const field = screen.getByRole('textbox', { name: 'Name optional', description: 'Shown to all' })
  expect(field.hasAttribute('aria-invalid')).toBe(false)
  rerender(frame('Too long'))
  expect(screen.getByRole('textbox', { description: 'Too long' }).getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('Too long')
  expect(screen.queryByText('Shown to all')).toBeNull()
})

test('a field without hint and error has no description', () => {
  expect(aboutBelow('name', undefined)).toEqual({
    'aria-invalid': undefined,
    'aria-describedby': undefined,
  })
})

test('a text field has its label as name, also if it is hidden, and reports what is typed', async () => {
  const onChange = vi.fn<(text: string) => void>()
  const { rerender } = render(<TextField label="Address" value="" onChange={onChange} />)
  await userEvent.click(screen.getByText('Address'))
  await userEvent.keyboard('a')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('a')
  rerender(<TextField label="Address" labelHidden value="" onChange={onChange} />)
  expect(screen.getByRole('textbox', { name: 'Address' })).toBeTruthy()
})

test('two text fields with errors are described each by its own', () => {
  render(
    <>
      <TextField label="Address" value="" error="Not an address" onChange={nothing} />
      <TextField label="Key" value="" error="Not a key" onChange={nothing} />
    </>,
  )
  expect(screen.getByRole('textbox', { name: 'Address', description: 'Not an address' })).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Key', description: 'Not a key' })).toBeTruthy()
})

test('a text area is a named field of several lines with its error as description', async () => {
  const onChange = vi.fn<(text: string) => void>()
  render(<TextArea label="About" value="" error="Too long" onChange={onChange} />)
  const field = screen.getByRole('textbox', { name: 'About', description: 'Too long' })
  await userEvent.type(field, '{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('\n')
})

function Find({ onEnter, start = '' }: { readonly onEnter?: () => void; readonly start?: string }) {
  const [value, setValue] = useState(start)
  return (
    <div data-list="" role="presentation" onKeyDown={({ key }) => outside(key)}>
      <FindField
        label="Find people"
        value={value}
        onChange={setValue}
        list="[data-list]"
        {...(onEnter && { onEnter })}
      />
      <button data-roving-id="a" tabIndex={-1}>
        Ann
      </button>
      <button data-roving-id="b" tabIndex={0}>
        Bob
      </button>
    </div>
  )
}
const outside = vi.fn<(key: string) => void>()
const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find people' })

test('Escape first clears the search field, and only then reaches the surrounding elements', async () => {
  outside.mockClear()
  render(<Find start="ann" />)
  await userEvent.type(search(), '{Escape}')
  expect(search().value).toBe('')
  expect(outside).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(outside).toHaveBeenCalledExactlyOnceWith('Escape')
})

test('Down moves from the search field to the tab stop of the list, Enter runs the handler of the caller', async () => {
  const onEnter = vi.fn<() => void>()
  render(<Find onEnter={onEnter} />)
  await userEvent.type(search(), '{Enter}')
  expect(onEnter).toHaveBeenCalledOnce()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Bob' }))
})

type Send = (file: File | undefined) => Promise<ErrorBody | undefined>

function picture(onSend: Send, more: { readonly disabled?: boolean; readonly removeLabel?: string } = {}) {
  return (
    <PictureField
      label="Portrait"
      picture={<i>picture</i>}
      chooseLabel="Choose a picture"
      disabled={false}
      onSend={onSend}
      {...more}
    />
  )
}
const chooser = () => document.querySelector<HTMLInputElement>('input[type="file"]') ?? document.createElement('input')

test('a picture is chosen from a file; the field is a named group and busy until it is sent', async () => {
  const sent = Promise.withResolvers<undefined>()
  const onSend = vi.fn<Send>(() => sent.promise)
  render(picture(onSend))
  expect(screen.getByRole('group', { name: 'Portrait' })).toBeTruthy()
  const file = new File(['x'], 'me.png', { type: 'image/png' })
  await userEvent.upload(chooser(), file)
  expect(onSend).toHaveBeenCalledExactlyOnceWith(file)
  expect(screen.getByRole('button', { name: 'Choose a picture', busy: true })).toBeTruthy()
  sent.resolve(undefined)
  expect(await screen.findByRole('button', { name: 'Choose a picture', busy: false })).toBeTruthy()
})

test('the reason of a failure is read out, and disappears with the next attempt', async () => {
  const answers: (ErrorBody | undefined)[] = [{ code: 'internal' }, undefined]
  render(picture(async () => answers.shift(), { removeLabel: 'Remove' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Something in Parlor went wrong/)
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('there is nothing to remove without a picture, and nothing to do while the field is disabled', async () => {
  const onSend = vi.fn<Send>(async () => undefined)
  const { rerender } = render(picture(onSend))
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  rerender(picture(onSend, { disabled: true, removeLabel: 'Remove' }))
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  const choose = screen.getByRole('button', { name: 'Choose a picture' })
  expect(choose.getAttribute('aria-disabled')).toBe('true')
  const opened = vi.spyOn(chooser(), 'click')
  await userEvent.click(choose)
  expect(opened).not.toHaveBeenCalled()
})

test('the field behind a button is skipped by keys and readers, and takes the same file twice', async () => {
  const onChoose = vi.fn<(file: File) => void>()
  render(<PictureInput ref={createRef<HTMLInputElement>()} onChoose={onChoose} />)
  expect(chooser().tabIndex).toBe(-1)
  expect(chooser().getAttribute('aria-hidden')).toBe('true')
  const file = new File(['x'], 'me.png', { type: 'image/png' })
  await userEvent.upload(chooser(), file)
  await userEvent.upload(chooser(), file)
  expect(onChoose.mock.calls).toEqual([[file], [file]])
})

function Passphrase({ onChecked }: { readonly onChecked: (passphrase: string | undefined) => void }) {
  const form = useNewPassphrase()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChecked(form.check())
      }}
    >
      <NewPassphraseFields form={form} />
      <button type="submit">Save</button>
    </form>
  )
}

test('a new passphrase is long enough and the same twice, or the field that is wrong says so', async () => {
  const checked = vi.fn<(passphrase: string | undefined) => void>()
  render(<Passphrase onChecked={checked} />)
  const [first, again] = [screen.getByLabelText('Passphrase'), screen.getByLabelText('Repeat passphrase')]
  await userEvent.type(first, 'lamp{Enter}')
  const short = first.getAttribute('aria-invalid')
  await userEvent.type(first, ' and shade')
  await userEvent.type(again, 'lamp{Enter}')
  const different = again.getAttribute('aria-invalid')
  await userEvent.type(again, ' and shade{Enter}')

  expect(short).toBe('true')
  expect(different).toBe('true')
  expect(checked.mock.calls.map(([passphrase]) => passphrase)).toEqual([undefined, undefined, 'lamp and shade'])
})

test('a picture is cropped to its center square and made small', async () => {
  const close = vi.fn<() => void>()
  const drawImage = vi.fn<(...place: readonly unknown[]) => void>()
  const bitmap = { width: 400, height: 200, close }
  vi.stubGlobal('createImageBitmap', () => Promise.resolve(bitmap))
  const context = vi.spyOn(HTMLCanvasElement.prototype, 'getContext')
  context.mockReturnValue({ drawImage } as unknown as ReturnType<HTMLCanvasElement['getContext']>)
  const blob = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob')
  blob.mockImplementation((take) => take(new Blob(['small'])))
  try {
    expect(await pictureFrom(new Blob(['large']), 64)).toEqual({ base64: btoa('small'), mimeType: 'image/png' })
    expect(drawImage).toHaveBeenCalledWith(bitmap, 100, 0, 200, 200, 0, 0, 64, 64)
    expect(close).toHaveBeenCalledOnce()
    blob.mockImplementation((take) => take(null))
    await expect(pictureFrom(new Blob(['large']))).rejects.toThrow('no picture')
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  }
})
