import { useEffect, useRef } from 'react'

/** Enough for a picture in a conversation; a canvas as large as a photo would take tens of megabytes. */
const LONGEST_SIDE = 1_280

type Props = {
  readonly src: string
  readonly className?: string
  /** Absent: readers skip it, because what is around it has its name. */
  readonly alt?: string
  readonly onLoad: () => void
  readonly onError: () => void
}

/** The first frame of a picture that may be animated. */
export function Still({ src, className, alt = '', onLoad, onError }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const then = useRef({ onLoad, onError })
  useEffect(() => {
    then.current = { onLoad, onError }
  })
  useEffect(() => {
    const image = new Image()
    let live = true
    const draw = (): void => {
      const target = canvas.current
      if (!live || target === null) return
      const scale = Math.min(1, LONGEST_SIDE / Math.max(image.naturalWidth, image.naturalHeight))
      target.width = Math.round(image.naturalWidth * scale)
      target.height = Math.round(image.naturalHeight * scale)
      target.getContext('2d')?.drawImage(image, 0, 0, target.width, target.height)
      then.current.onLoad()
    }
    image.addEventListener('load', draw)
    image.addEventListener('error', () => live && then.current.onError())
    image.src = src
    return () => {
      live = false
    }
  }, [src])
  return alt === '' ? (
    <canvas ref={canvas} className={className} aria-hidden="true" />
  ) : (
    <canvas ref={canvas} className={className} role="img" aria-label={alt} />
  )
}
