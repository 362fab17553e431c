import { useEffect, useRef, useState } from 'react'

/** Listens to a part of a sound that is not a file yet. Times are seconds. */
export function usePlayback(
  sound: AudioBuffer,
  from: number,
  to: number,
): { readonly playing: boolean; readonly toggle: () => void } {
  const [playing, setPlaying] = useState(false)
  const running = useRef<{ readonly context: AudioContext; readonly source: AudioBufferSourceNode }>(undefined)
  const end = (): void => {
    const now = running.current
    running.current = undefined
    now?.source.stop()
    now?.context.close().catch(() => console.debug('already closed'))
    setPlaying(false)
  }
  const latest = useRef(end)
  useEffect(() => {
    latest.current = end
  })
  const part = `${from} ${to}`
  const heard = useRef(part)
  // Another part is another sound, and nothing plays once the bar is gone.
  useEffect(() => {
    if (heard.current !== part) latest.current()
    heard.current = part
  }, [part])
  useEffect(() => () => latest.current(), [])
  const toggle = (): void => {
    if (playing) return end()
    const context = new AudioContext()
    const source = context.createBufferSource()
    source.buffer = sound
    source.connect(context.destination)
    source.addEventListener('ended', () => {
      if (running.current?.source === source) end()
    })
    running.current = { context, source }
    source.start(0, from, to - from)
    setPlaying(true)
  }
  return { playing, toggle }
}
