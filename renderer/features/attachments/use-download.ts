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
  const wish = useRef(0)
  const start = (): void => {
    if (state === 'working') return
    setState('working')
    wish.current += 1
    const mine = wish.current
    const current = (): boolean => mine === wish.current
    media.url(mediaKey, 'full', true).then(
      (url) => {
        if (!current()) return
        saveAs(url, name)
        setState('idle')
      },
      () => {
        if (current()) setState('failed')
      },
    )
  }
  const cancel = (): void => {
    wish.current += 1
    setState('idle')
  }
  return { state, start, cancel }
}
