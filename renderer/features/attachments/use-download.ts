import { useRef, useState } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppServices } from '../../store/hooks.ts'
import { command } from '../../store/command.ts'

/** Opens a file with the system's default program. Failures raise a notice. */
export const openFile = command(
  'attachments/opened',
  (input: { readonly messageId: MessageId; readonly index: number }, engine) => engine.data.openFile(input),
)

export type Download = {
  readonly state: 'idle' | 'working' | 'failed'
  readonly start: () => void
  /** Works until the URL is passed to the system, which then has its own cancel. */
  readonly cancel: () => void
}

/** Requests a fresh URL and passes it to the system's download. */
export function useDownload(mediaKey: string, name: string): Download {
  const { media } = useAppServices()
  const [state, setState] = useState<Download['state']>('idle')
  const request = useRef(0)
  const fetchAndSave = async (): Promise<void> => {
    request.current += 1
    const mine = request.current
    try {
      const url = await media.url(mediaKey, 'full', true)
      if (mine !== request.current) return
      saveAs(url, name)
      setState('idle')
    } catch {
      // Main logs the reason; the card offers a retry.
      if (mine === request.current) setState('failed')
    }
  }
  const start = (): void => {
    if (state === 'working') return
    setState('working')
    void fetchAndSave()
  }
  const cancel = (): void => {
    request.current += 1
    setState('idle')
  }
  return { state, start, cancel }
}

/** Downloads a URL; the system asks where to save it. The name is only a proposal: main decides what is allowed. */
function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Saves a text that is made here as a file. */
export function saveText(text: string, { name, type }: { readonly name: string; readonly type: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  saveAs(url, name)
  // The download has started when the click returns, so the bytes can be released.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
