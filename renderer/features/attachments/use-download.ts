import { useRef, useState } from 'react'
import { useSurroundings } from '../../store/hooks.ts'
import { saveAs } from './download.ts'

export type Download = {
  readonly state: 'idle' | 'working' | 'failed'
  readonly start: () => void
  /** Before the bytes are handed to the system; from then on it is the system's to cancel. */
  readonly cancel: () => void
}

/** Asks for a fresh address and hands it to the system's download. */
export function useDownload(mediaKey: string, name: string): Download {
  const { media } = useSurroundings()
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
      // Why it cannot be had is main's to know; the card says that it may be tried again.
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
