import { useState } from 'react'
import { useSurroundings } from '../../store/hooks.ts'
import { saveAs } from './download.ts'

export type Download = { readonly state: 'idle' | 'working' | 'failed'; readonly start: () => void }

/** Asks for a fresh address and hands it to the system's download. */
export function useDownload(mediaKey: string, name: string): Download {
  const { media } = useSurroundings()
  const [state, setState] = useState<Download['state']>('idle')
  const start = (): void => {
    if (state === 'working') return
    setState('working')
    media.url(mediaKey, 'full', true).then(
      (url) => {
        saveAs(url, name)
        return setState('idle')
      },
      () => setState('failed'),
    )
  }
  return { state, start }
}
