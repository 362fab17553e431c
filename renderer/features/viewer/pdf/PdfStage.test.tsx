import { createRef } from 'react'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StillResizeObserver } from '#kit/still-resize-observer.ts'
import { aMessage, anAttachment, aSession, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { WHOLE } from '../view.ts'
import { PdfStage } from './PdfStage.tsx'
import type { OpenPdf, PdfDocument } from './pdf-document.ts'

const ATTACHMENT = anAttachment({ kind: 'file', title: 'walk.pdf', mimeType: 'application/pdf' })
const ITEM = { id: 'm1.0', message: aMessage({ id: 'm1', attachments: [ATTACHMENT] }), attachment: ATTACHMENT }
const PAGE_TEXTS = [['Over the ', 'ridge\n'], ['Down to the lake'], ['Home by train', ' over a ridge']]

type Drawn = { readonly page: number; readonly scale: number; readonly turn: number }

/** Three pages of text; without readable text if `scanned`. */
function aPdf({ scanned = false } = {}) {
  const drawn: Drawn[] = []
  const close = vi.fn<() => void>()
  const pdf: PdfDocument = {
    pages: 3,
    close,
    size: () => Promise.resolve({ width: 600, height: 800 }),
    text: (page) => Promise.resolve(PAGE_TEXTS[page - 1] ?? []),
    draw(page, { text: textLayer }, { scale, turn }) {
      drawn.push({ page, scale, turn })
      const spans = (scanned ? [] : (PAGE_TEXTS[page - 1] ?? [])).map((text) =>
        Object.assign(document.createElement('span'), { textContent: text }),
      )
      textLayer.replaceChildren(...spans)
      return { done: Promise.resolve(spans), cancel: () => undefined }
    },
  }
  return { pdf, drawn, close }
}

async function show(open: OpenPdf, view = WHOLE) {
  const bridge = createFakeBridge({ rows: { session: { self: aSession() } } })
  const rendered = await renderInApp(
    <PdfStage ref={createRef()} item={ITEM} name="walk.pdf" view={view} open={open} />,
    bridge,
  )
  await act(() => Promise.resolve())
  return { ...rendered, bridge }
}

const failing =
  (problem: string): OpenPdf =>
  () =>
    Promise.reject(new Error(problem))

beforeEach(() => vi.stubGlobal('ResizeObserver', StillResizeObserver))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('a PDF in the viewer', () => {
  test('renders the pages in view, labelled and with text', async () => {
    const { pdf, drawn } = aPdf()
    await show(() => Promise.resolve(pdf))
    expect(screen.getByRole('region', { name: 'Page 1 of 3' }).textContent).toContain('Over the ridge')
    expect(screen.getByRole('group', { name: 'Pages of walk.pdf' }).tabIndex).toBe(0)
    expect([...new Set(drawn.map(({ page }) => page))]).toEqual([1])
  })

  test('a page without text has a text for screen readers', async () => {
    const { pdf } = aPdf({ scanned: true })
    await show(() => Promise.resolve(pdf))
    expect(screen.getAllByText('This page is an image, so it has no text to read.').length).toBeGreaterThan(0)
  })

  test('is rendered again when zoomed or rotated', async () => {
    const { pdf, drawn } = aPdf()
    await show(() => Promise.resolve(pdf), { ...WHOLE, zoom: 2, turn: 90 })
    expect(drawn[0]).toMatchObject({ page: 1, turn: 90 })
    expect(drawn[0]?.scale).toBeGreaterThan(2)
  })

  test('the search finds matches in the whole document, counts them, and steps through them in a cycle', async () => {
    const { pdf } = aPdf()
    await show(() => Promise.resolve(pdf))
    const field = screen.getByRole('searchbox', { name: 'Find in the document' })
    fireEvent.change(field, { target: { value: 'RIDGE' } })
    await screen.findByText('1 of 2')
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText('2 of 2')
    fireEvent.click(screen.getByRole('button', { name: 'Next match' }))
    await screen.findByText('1 of 2')
    fireEvent.change(field, { target: { value: 'sea' } })
    expect(await screen.findByText('Nothing found')).toBeDefined()
    fireEvent.keyDown(field, { key: 'Escape' })
    expect((field as HTMLInputElement).value).toBe('')
  })

  test.each([
    ['locked', /This document is password-protected/],
    ['broken', /This document is damaged/],
    ['an unknown error', /This document is damaged/],
  ])('the problem "%s" is shown with a button to open another app', async (problem, text) => {
    const { bridge } = await show(failing(problem))
    expect(screen.getByRole('alert').textContent).toMatch(text)
    fireEvent.click(screen.getByRole('button', { name: 'Open in another app' }))
    expect(bridge.inputsOf('data.openFile')).toEqual([{ messageId: 'm1', index: 0 }])
  })

  test('a file that fails to load can be retried', async () => {
    const { pdf } = aPdf()
    let isGone = true
    await show(() => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve(pdf)))
    isGone = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('region', { name: 'Page 1 of 3' })).toBeDefined()
  })

  test('the document is closed on unmount', async () => {
    const { pdf, close } = aPdf()
    const { unmount } = await show(() => Promise.resolve(pdf))
    unmount()
    await waitFor(() => expect(close).toHaveBeenCalled())
  })
})
