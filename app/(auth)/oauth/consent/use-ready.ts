import { useEffect, useState } from "react";

const MILLISECONDS = 500;

/** True once the page has been in front for half a second, so that a click meant for another window allows nothing. */
export function useReady(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      setReady(false);
      timer = setTimeout(() => setReady(true), MILLISECONDS);
    };
    begin();
    window.addEventListener("focus", begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("focus", begin);
    };
  }, []);
  return ready;
}
