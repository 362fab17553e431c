export { EditFiles, Tray } from './files/Tray.tsx'
export { Preview, Previews } from './previews/Previews.tsx'
export { VoiceBar } from './voice/VoiceBar.tsx'
