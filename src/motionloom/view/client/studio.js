"use strict";(()=>{var o=document.getElementById("motionloom");document.title=o===null?"motionloom studio":"motionloom";})();
