// The keys that lead to search from anywhere in a workspace; loaded behind the sidebar.
import { useEffect } from "react";
import { isSearchKey } from "../../ui/search-key.ts";
import { navigate } from "../navigation.tsx";

export function SearchKeys({ to }: { readonly to: string }): null {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      // On the search screen itself the field takes it.
      if (!isSearchKey(event) || location.pathname === to) return;
      event.preventDefault();
      navigate(to);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [to]);
  return null;
}
