import "./lib/i18n/engineLanguage";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { Answers } from "./lib/data/answers";
import { openHost } from "./lib/host/host";

const target = document.getElementById("app");
if (target) {
  // No `await` at the top of a module that others import: WebKit was seen to never come back from it.
  void openHost().then((host) => {
    mount(App, { target, props: { answers: new Answers(host) } });
  });
}
