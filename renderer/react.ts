/**
 * React, which runs in a script of its own: with developer tools attached, Chromium reads a whole script again when the
 * first error is created in it, and React creates some while it starts.
 */
export { createRoot } from 'react-dom/client'
