import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, useState, type ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '../../app/Region.tsx'
import {
  codeOf,
  forgetFailedParts,
  setCodeSource,
  loadCode,
  overlayPart,
  part,
  PartFallback,
  typedPart,
  useCode,
} from './part.tsx'

type State = 'here' | 'gone' | 'shut'

/** A fake code source that can be gone. */
function aSource() {
  const listeners = new Set<(state: State) => void>()
  let state: State = 'here'
  setCodeSource((listener) => {
    listeners.add(listener)
    listener(state)
    return () => void listeners.delete(listener)
  })
  const become = (next: State): void => {
    state = next
    for (const listener of listeners) listener(next)
  }
  const load = vi.fn<() => Promise<() => ReactElement>>(async () => {
    if (state !== 'here') throw new TypeError('Failed to fetch dynamically imported module')
    return () => <p>the whole part</p>
  })
  return { become, load, listeners }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  setCodeSource(undefined)
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a part requested while the code source is gone is shown once it is back', async () => {
  const { become, load, listeners } = aSource()
  become('gone')
  const Part = part(load)
  await act(async () => {
    render(
      <PartFallback value={() => <p>on its way</p>}>
        <Part />
      </PartFallback>,
    )
  })
  await pass(60_000)
  expect(screen.getByText('on its way')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
  await act(async () => become('here'))
  await pass(0)
  expect(screen.getByText('the whole part')).toBeTruthy()
  expect(listeners.size).toBe(0)
})

test('a load that fails just before the source is reported gone waits for it too', async () => {
  const { become, load } = aSource()
  const answer = vi.fn<(whole: unknown) => void>()
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  void loadCode(load).then(answer)
  await pass(300)
  become('gone')
  await pass(30_000)
  expect(load).toHaveBeenCalledTimes(1)
  become('here')
  await pass(0)
  expect(answer).toHaveBeenCalledTimes(1)
})

test('a load that keeps failing while the source is there fails, and Try again loads it again', async () => {
  const { load } = aSource()
  const broken = new TypeError('Failed to fetch dynamically imported module')
  for (let count = 0; count < 3; count += 1) load.mockRejectedValueOnce(broken)
  const failures = vi.fn<(where: string, message: string) => void>()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Part = part(load)
  const Fallback = ({ onRetry }: { readonly onRetry: () => void }) => (
    <button type="button" onClick={onRetry}>
      Try again
    </button>
  )
  await act(async () => {
    render(
      <ErrorBoundary where="test" onFailure={failures} fallback={Fallback}>
        <Part />
      </ErrorBoundary>,
    )
  })
  await pass(5_000)
  expect(load).toHaveBeenCalledTimes(3)
  expect(failures).toHaveBeenCalledTimes(1)
  await act(async () => screen.getByRole('button', { name: 'Try again' }).click())
  await pass(0)
  expect(screen.getByText('the whole part')).toBeTruthy()
})

test('a part that failed stays failed wherever it is rendered, until failures are cleared', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const load = vi.fn<() => Promise<() => ReactElement>>(async () => () => <p>the whole part</p>)
  load.mockRejectedValueOnce(new TypeError('no such file'))
  const Part = part(load)
  // Beside the places where it failed before: a boundary that is removed forgets failures itself.
  const show = async () => {
    let place: HTMLElement | undefined
    await act(async () => {
      place = render(
        <ErrorBoundary where="test" onFailure={() => undefined} fallback={() => <p>broken</p>}>
          <Part />
        </ErrorBoundary>,
      ).container
    })
    return place?.textContent
  }
  expect(await show()).toBe('broken')
  expect(await show()).toBe('broken')
  forgetFailedParts()
  expect(await show()).toBe('the whole part')
  expect(load).toHaveBeenCalledTimes(2)
})

test('without a code source a failed load is not retried', async () => {
  const load = vi.fn<() => Promise<unknown>>(async () => {
    throw new TypeError('no such file')
  })
  await expect(loadCode(load)).rejects.toThrow('no such file')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a stylesheet that failed to load is loaded again before its part is rendered', async () => {
  const { become, load } = aSource()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  document.head.append(link)
  become('gone')
  const answer = vi.fn<(whole: unknown) => void>()
  void loadCode(load).then(answer)
  await pass(0)
  link.dispatchEvent(new Event('error'))
  become('here')
  await pass(0)
  const again = document.head.querySelector('link[rel="stylesheet"]')
  expect(again).not.toBe(link)
  expect(answer).not.toHaveBeenCalled()
  again?.dispatchEvent(new Event('load'))
  await pass(0)
  expect(answer).toHaveBeenCalledTimes(1)
  again?.remove()
})

function Field() {
  const [text, setText] = useState('')
  return <input aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />
}

test.each([
  ['a part beside it loads', part],
  ['a part that opens over it loads', overlayPart],
])('a field keeps the focus and every letter while %s', async (_what, make) => {
  const { become, load } = aSource()
  const Part = make(load)
  const page = (hasPart: boolean) => (
    <Suspense fallback={<p>the page is hidden</p>}>
      <Field />
      {hasPart ? <Part /> : null}
    </Suspense>
  )
  const { rerender } = render(page(false))
  const field = screen.getByRole<HTMLInputElement>('textbox')
  field.focus()
  become('gone')
  await act(async () => rerender(page(true)))
  for (const letters of ['g', 'go', 'goo', 'good']) fireEvent.change(field, { target: { value: letters } })
  expect(field.value).toBe('good')
  expect(field.style.display).toBe('')
  expect(document.activeElement).toBe(field)
  expect(screen.queryByText('the page is hidden')).toBeNull()
  become('here')
  await pass(1_000)
  expect(screen.getByText('the whole part')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox')).toBe(field)
  expect(field.value).toBe('good')
})

test('a part that opens over a page shows nothing until its code is loaded', async () => {
  const { become, load } = aSource()
  become('gone')
  const Part = overlayPart(load)
  await act(async () => {
    render(
      <PartFallback value={() => <p>on its way</p>}>
        <Part />
      </PartFallback>,
    )
  })
  expect(screen.queryByText('on its way')).toBeNull()
  become('here')
  await pass(1_000)
  expect(screen.getByText('the whole part')).toBeTruthy()
})

test('a part that is typed into says so to what is shown around it, and how it is closed; for other props it shows nothing', async () => {
  const { become, load } = aSource()
  become('gone')
  const onClose = vi.fn<() => void>()
  type Props = { readonly kind: 'dialog' | 'menu'; readonly onClose: () => void }
  const Part = typedPart<Props>(load, ({ kind }) => kind === 'dialog')
  const page = (kind: Props['kind']) => (
    <PartFallback value={(opened) => <button onClick={opened?.onClose}>on its way</button>}>
      <Part kind={kind} onClose={onClose} />
    </PartFallback>
  )
  const { rerender } = render(page('dialog'))
  await pass(0)
  fireEvent.click(screen.getByRole('button', { name: 'on its way' }))
  expect(onClose).toHaveBeenCalledOnce()
  rerender(page('menu'))
  expect(screen.queryByRole('button')).toBeNull()
  become('here')
  await pass(1_000)
  expect(screen.getByText('the whole part')).toBeTruthy()
})

test('a component that wants code is rendered again when it is loaded, and one that does not want it loads none', async () => {
  const load = vi.fn<() => Promise<(text: string) => string>>(async () => (text) => text.toUpperCase())
  const code = codeOf(load)
  const Line = ({ wanted }: { readonly wanted: boolean }) => {
    const shout = useCode(code, wanted)
    return <p>{shout === undefined ? 'quiet' : shout('loud')}</p>
  }
  const { rerender } = render(<Line wanted={false} />)
  await pass(0)
  expect(load).not.toHaveBeenCalled()
  rerender(<Line wanted />)
  expect(screen.getByText('quiet')).toBeTruthy()
  await pass(0)
  expect(screen.getByText('LOUD')).toBeTruthy()
  expect((await code.load())('again')).toBe('AGAIN')
  expect(load).toHaveBeenCalledTimes(1)
})

test('a part that is ready is rendered at once, and one that cannot be loaded is not waited for', async () => {
  const Part = overlayPart(async () => () => <p>the whole part</p>)
  await Part.ready()
  render(<Part />)
  expect(screen.getByText('the whole part')).toBeTruthy()
  const broken = part<object>(async () => {
    throw new TypeError('no such file')
  })
  await expect(broken.ready()).resolves.toBeUndefined()
})
